/** Where to listen. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Says why an address cannot be listened on, and what to do. */
export function explainListenError(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  const where = `cannot listen on ${host}, port ${port}`;
  const [why, fix] = reasons[error.code as string] ?? [error.message, "give another host and port"];
  return new Error(`${where}: ${why}; ${fix}`, { cause: error });
}

const reasons: Readonly<Record<string, readonly [why: string, fix: string]>> = {
  EADDRINUSE: ["the port is in use", "stop what listens there, or give another port (0 takes a free one)"],
  EACCES: ["this user may not open it", "give a port from 1024 up (0 takes a free one)"],
  EADDRNOTAVAIL: ["the host is no address of this machine", "give 127.0.0.1, or an address that it has"],
  ENOTFOUND: ["the host is not known", "give 127.0.0.1, or an address of this machine"],
  EAI_AGAIN: ["the host cannot be looked up", "give 127.0.0.1, or an address of this machine"],
};
