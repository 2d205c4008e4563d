/** How many characters of a body the journal keeps. It imports nothing, because the console's page needs it too. */
export const BODY_TEXT_LIMIT = 16_384;
