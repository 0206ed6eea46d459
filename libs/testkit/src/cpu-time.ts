/** The processor time that this process has used so far. Unlike a clock, it stands still while other programs have the processor. */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
