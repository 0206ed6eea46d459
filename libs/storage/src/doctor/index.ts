export { createBackup, type BackupFile } from './backup-file';
export { examineStore } from './examine';
export type { Openers } from './examine-record';
export { remedies, type DoctorFinding, type Remedy } from './finding';
export { livingInstances, livingProcesses } from './living-processes';
export { unfinishedRotation } from './unfinished-rotation';
export { putBack, repairFinding, type Repaired, type RepairDeps } from './repair';
