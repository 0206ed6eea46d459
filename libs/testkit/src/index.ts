export { busContract, type BusHarness } from './bus-contract';
export { gathered, type Gathered } from './gathered';
export { storeContract, type OpenedStore } from './store-contract';
