/**
 * Control characters (except those of lines, and tab), lone surrogates, and characters that break lines or change the
 * direction of text.
 */
const INVISIBLE = /[^\P{Cc}\n\r\t]|[\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * Escapes such characters as JSON does (`\u202e`), so that a name cannot disguise the text that follows it, and a terminal
 * does not obey it.
 */
export function visible(text: string): string {
  return text.replace(INVISIBLE, escapeCharacter);
}

/** The same for a text that must stay on one line. */
export function visibleLine(text: string): string {
  return visible(text).replace(/[\n\r\t]/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
