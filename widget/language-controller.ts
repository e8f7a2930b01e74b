/**
 * Gives the element the words of its language: English at once, another language as soon as it has been downloaded.
 * A failed download is retried after pauses that double, up to 10 minutes, and then given up. Firefox caches a failed
 * `import()` and retries without a request; there the element stays English until the page is reloaded.
 */

import { loadWords } from './languages.ts'
import { en } from './locales/en.ts'

import type { LitElement, ReactiveController } from 'lit'
import type { Environment } from './environment.ts'
import type { Words } from './locales/en.ts'

const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 600_000

export class LanguageController implements ReactiveController {
  words: Words = en

  readonly #host: LitElement
  readonly #environment: Environment
  /** The language that was requested last; empty while the element is not in the document. */
  #requested = ''
  #cancelRetry = () => {}

  constructor(host: LitElement, environment: Environment) {
    this.#host = host
    this.#environment = environment
    host.addController(this)
  }

  /**
   * The language of the element, as a BCP 47 tag: its `lang`, otherwise its nearest ancestor's, otherwise the
   * browser's.
   */
  get lang(): string {
    return nearestLang(this.#host) || this.#environment.window.navigator.language
  }

  /** Requests an update of the element, because its new ancestors may have another `lang`. */
  hostConnected() {
    this.#host.requestUpdate()
  }

  hostUpdate() {
    const { lang } = this
    if (lang !== this.#requested && this.#host.isConnected) void this.#load(lang, FIRST_PAUSE_MS)
  }

  hostDisconnected() {
    this.#requested = ''
    this.#cancelRetry()
  }

  async #load(lang: string, pauseMs: number) {
    this.#cancelRetry()
    this.#requested = lang
    const words = await loadWords(lang)
    if (lang !== this.#requested) return
    // If the element moved within the page in the meantime, a second download may be running.
    this.#cancelRetry()
    if (!words && pauseMs < LONGEST_PAUSE_MS)
      this.#cancelRetry = this.#environment.clock.after(pauseMs, () => void this.#load(lang, pauseMs * 2))
    const before = this.words
    this.words = words ?? en
    if (this.words !== before) this.#host.requestUpdate()
  }
}

/** The properties of an element, a shadow root or the document that {@link nearestLang} reads. */
interface TreeNode {
  getAttribute?: (name: string) => string | null
  parentNode?: TreeNode | null
  host?: TreeNode
}

/**
 * Returns the nearest `lang`, also outside shadow roots; empty text if there is none. Reads the attribute and not the
 * property, because the `lang` of a form may be one of its fields.
 */
function nearestLang(node: TreeNode | null | undefined): string {
  return node ? node.getAttribute?.('lang') || nearestLang(node.parentNode ?? node.host) : ''
}
