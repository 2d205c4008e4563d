/** The version of this package, as the User-Agent states it; a test holds it equal to package.json. */
export const VERSION = "0.1.0";
