import { kindOf } from "../../src/checks/describe.ts";

/**
 * Reads the result of a function that a test supplies. An absent result is `false`.
 *
 * @throws TypeError for other values, such as the promise of an async function, which would count as true.
 */
export function readVerdict(verdict: unknown): boolean {
  if (typeof (verdict ?? false) === "boolean") return verdict === true;
  throw new TypeError(`it must return true or false, not ${kindOf(verdict)}`);
}
