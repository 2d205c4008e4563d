// The guide on testing shows tests: they run here, as a reader's own would.
import "../../docs/code/testing/connect.ts";
import "../../docs/code/testing/factory.ts";
import "../../docs/code/testing/fake.ts";
import "../../docs/code/testing/http.ts";
import "../../docs/code/testing/in-memory.ts";
