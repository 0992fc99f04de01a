/** The faults a tool expects: wrong paths, missing files, no permission. In words the model can act on. */

/** Thrown inside a tool body; `defineTool` turns it into an `error` result, so it never leaves the tool. */
export class ToolFault extends Error {
  override readonly name = 'ToolFault'
}

const sentences: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'goes through something that is not a folder',
  EISDIR: 'is a folder, not a file',
  EACCES: 'may not be accessed: no permission',
  EPERM: 'may not be accessed: no permission',
  EROFS: 'is on a read-only file system',
  ENOSPC: 'could not be written: no space left on the device',
  EDQUOT: 'could not be written: the disk quota is used up',
  ENAMETOOLONG: 'is too long a path',
  ELOOP: 'goes through a link that leads nowhere or was changed meanwhile',
  EMFILE: 'could not be opened: too many open files, try again',
  ENFILE: 'could not be opened: too many open files, try again',
  ENXIO: 'is not a regular file',
  EBUSY: 'is busy',
  ETXTBSY: 'is a program that is running',
  EEXIST: 'is in the way: something with that name exists already',
}

/** Gives a file-system error its sentence about `path`; anything unexpected is returned as it came, for the caller to throw. */
export function faultAbout(path: string, error: unknown): unknown {
  const sentence = sentences[errorCodeOf(error) ?? '']
  return sentence === undefined ? error : new ToolFault(`${quoted(path)} ${sentence}.`)
}

/** The system's error code (`ENOENT` …), if the value carries one. */
export function errorCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** A path as it may stand in a sentence: quoted, control characters escaped, never longer than a line or two. */
export function quoted(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path)
}
