export { createCandidate, type Candidate, type CandidateOptions } from './candidate';
export { createElection, type Election, type ElectionOptions } from './election';
