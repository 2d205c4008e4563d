/** An invalid flag, environment variable or file. The command exits with status 2. */
export class UsageError extends Error {}
