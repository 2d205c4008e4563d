/** The command line, or a file that it names, is wrong: exit status 2. */
export class UsageError extends Error {}
