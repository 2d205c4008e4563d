import { execFileSync } from "node:child_process";

/** The CPUs of the two ends of a connection. */
export const CPU_OF_SERVER = 0;
export const CPU_OF_CALLER = 1;

/**
 * Ties a process and all its threads to one CPU, so that both ends of a connection never share one: where the kernel
 * chose, equal runs differed by half (README.md). Without effect on a machine that has no `taskset`, or not this CPU.
 */
export function tie(pid, cpu) {
  try {
    execFileSync("taskset", ["-acp", `${cpu}`, `${pid}`], { stdio: "ignore" });
  } catch {
    // The figures scatter more then.
  }
}
