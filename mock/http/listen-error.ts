export interface Address {
  readonly host: string;
  readonly port: number;
}

/** Explains why the server cannot listen on an address, and what to do. */
export function explainListenError(error: NodeJS.ErrnoException, { host, port }: Address): Error {
  const where = `cannot listen on ${host}, port ${port}`;
  const code = error.code === "EACCES" && port >= 1024 ? "EACCES_ANY_PORT" : error.code;
  const [why, fix] = reasons[code as string] ?? [error.message, "choose another host and port"];
  return new Error(`${where}: ${why}; ${fix}`, { cause: error });
}

const reasons: Readonly<Record<string, readonly [why: string, fix: string]>> = {
  EADDRINUSE: ["the port is in use", "stop the program that listens there, or choose another port (0 for a free one)"],
  EACCES: ["this user may not open the port", "choose port 1024 or higher (0 for a free one)"],
  // Windows reserves ranges of ports, e.g. for Hyper-V: `netsh interface ipv4 show excludedportrange protocol=tcp`.
  EACCES_ANY_PORT: ["the system does not allow this port", "choose another port (0 for a free one)"],
  EADDRNOTAVAIL: [
    "this machine does not have that address",
    "choose 127.0.0.1, ::1 or another address of this machine",
  ],
  ENOTFOUND: ["the host is unknown", "choose 127.0.0.1, ::1 or another address of this machine"],
  EAI_AGAIN: ["the host name cannot be resolved", "choose 127.0.0.1, ::1 or another address of this machine"],
};
