import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readBytes } from "../../../mock/cli/read-bytes.ts";
import { useFolder } from "./use-folder.ts";

const { write } = useFolder();

describe("readBytes", () => {
  it.each([0, 1, 65_536, 65_537, 1_000_000])("reads all bytes of a file of %d bytes", (size) => {
    const text = "0123456789".repeat(size / 10 + 1).slice(0, size);
    const path = write("list.csv", text);
    expect(readBytes(path, size).toString()).toBe(text);
    if (size > 0) expect(() => readBytes(path, size - 1)).toThrow(`it is longer than ${size - 1} bytes`);
  });

  it.runIf(existsSync("/dev/zero"))("gives up on a file that never ends", () => {
    expect(() => readBytes("/dev/zero", 1_000_000)).toThrow("it is longer than 1000000 bytes");
  });
});
