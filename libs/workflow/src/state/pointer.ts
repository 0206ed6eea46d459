/** The name of a task in a route. */
export const pointer = (task: string, route: number): string => `${task}__r${route}`;
