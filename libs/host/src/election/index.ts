export { createCandidate, type ElectionCandidate, type CandidateOptions } from './candidate';
export { createOffice, type OfficeOptions } from './office';
export { createElection, type Election, type ElectionOptions } from './election';
