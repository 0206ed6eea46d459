export { busContract, type BusHarness } from './bus-contract';
export { gathered, type Gathered } from './gathered';
export { leakCheck, type Later } from './leak-check';
export { storeContract, type ContractStore } from './store-contract';
