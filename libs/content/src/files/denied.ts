/** Whether the operating system refused to touch a file. */
export const isDenied = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '');
