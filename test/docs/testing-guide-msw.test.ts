// In a file of its own: of two interceptions in one process, MSW hears only the last one.
import "../../docs/code/testing/msw.ts";
