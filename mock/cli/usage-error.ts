/** An invalid command line, or an invalid file that it names: exit status 2. */
export class UsageError extends Error {}
