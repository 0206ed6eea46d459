const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | undefined)?.code ?? '';

/** Whether the operating system refused to touch a file. */
export const isDenied = (error: unknown): boolean => ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error));

/**
 * Why a path cannot be that of a file, whatever anybody does about permissions or room. Names come from requests, so this
 * is the caller's mistake and not the system's.
 */
const REASONS: Readonly<Record<string, string>> = {
  ENAMETOOLONG: 'the name is too long',
  ENOTDIR: 'a part of the path is a file and not a directory',
  EEXIST: 'a part of the path is a file and not a directory',
  EISDIR: 'it is a directory',
  ELOOP: 'its links lead in a circle',
  EINVAL: 'the file system does not allow the name',
  EILSEQ: 'the file system does not allow the name',
  ERR_INVALID_ARG_VALUE: 'the name holds a null character',
};

/** @returns undefined when the failure has nothing to do with the path */
export const pathProblem = (error: unknown): string | undefined => REASONS[codeOf(error)];

/** Whether reading failed because no regular file has that path. */
export const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENXIO', 'ENODEV'].includes(codeOf(error)) || pathProblem(error) !== undefined;
