// biome-ignore-all lint/suspicious/noControlCharactersInRegex: control characters are what this file is about
/** Makes plain text of what a command prints: decoded across chunk borders, without terminal escapes and control characters. */
import { StringDecoder } from 'node:string_decoder'

const escapeCharacter = '\u001b'
/** An unfinished escape longer than this is taken for garbage, so that it cannot hold back the output. */
const maxHeldBack = 4096

// CSI; OSC up to BEL or ST; DCS, SOS, PM and APC up to ST; charset selection and the like; two-character escapes.
const finishedEscape =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]+[0-~]|[0-OQ-WYZ\\\x60-~])/g
const unfinishedEscape = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]*)$/
// All of C0 but tab, line feed and carriage return; and DEL.
const control = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g
const anyControl = new RegExp(control.source)

/** One per stream of bytes. What it gives out never splits a character or an escape. */
export class TerminalText {
  readonly #decoder = new StringDecoder('utf8')
  #heldBack = ''

  write(bytes: Buffer): string {
    return this.#plain(this.#decoder.write(bytes))
  }

  /** The rest: a broken last character becomes U+FFFD, an unfinished escape is dropped. */
  end(): string {
    const rest = this.#plain(this.#decoder.end())
    this.#heldBack = ''
    return rest
  }

  #plain(decoded: string): string {
    const text = this.#heldBack + decoded
    this.#heldBack = ''
    if (!anyControl.test(text)) return text
    let clean = text.includes(escapeCharacter) ? text.replace(finishedEscape, '') : text
    const unfinished = clean.includes(escapeCharacter) ? unfinishedEscape.exec(clean) : null
    if (unfinished && clean.length - unfinished.index <= maxHeldBack) {
      this.#heldBack = clean.slice(unfinished.index)
      clean = clean.slice(0, unfinished.index)
    }
    return clean.replace(control, '')
  }
}
