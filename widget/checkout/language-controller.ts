/**
 * Downloads the words in the element's language. Until the download ends, for at most 3 s, the element shows only its
 * button, so that nothing is announced in English first. After a failure, the element shows English words.
 *
 * A failed download is retried at most 7 times. The pause before the first retry is 5 s, and each further pause is
 * twice as long. In Firefox, a retry fails until the page is reloaded, because Firefox caches a failed `import()`.
 */

import { langOf } from '../button/checkout-settings.ts'
import { replaceWords } from '../words/custom-words.ts'
import { en } from '../words/en.ts'
import { loadWords } from '../words/languages.ts'

import type { CheckoutElement } from '../button/element-host.ts'
import type { Environment } from '../button/environment.ts'
import type { Words } from '../words/en.ts'
import type { ReactiveController } from '@lit/reactive-element'

const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 600_000
/** The longest wait for words before the element shows English words, in milliseconds. [assumed] */
const LONGEST_WAIT_MS = 3_000

export class LanguageController implements ReactiveController {
  /** Whether words were downloaded once, or could not be had in time. */
  hasWords = false

  readonly #host: CheckoutElement
  readonly #environment: Environment
  /** The language tag for which words were requested last; empty while the element is not in the document. */
  #requested = ''
  #builtIn: Words = en
  /** Cancels the end of the wait for the first words, or the next retry. */
  #cancelTimer = () => {}

  constructor(host: CheckoutElement, environment: Environment) {
    this.#host = host
    this.#environment = environment
    host.addController(this)
  }

  /** The words in the element's language, with those that the page replaces. */
  get words(): Words {
    return replaceWords(this.#builtIn, this.#host.words)
  }

  hostUpdate() {
    const lang = langOf(this.#host, this.#environment)
    if (lang !== this.#requested && this.#host.isConnected) {
      void this.#load(lang, FIRST_PAUSE_MS)
    }
  }

  hostDisconnected() {
    this.#requested = ''
    this.#cancelTimer()
  }

  async #load(lang: string, pauseMs: number) {
    this.#cancelTimer()
    this.#requested = lang
    if (!this.hasWords) {
      this.#cancelTimer = this.#environment.clock.after(LONGEST_WAIT_MS, () => this.#use(this.#builtIn))
    }

    const words = await loadWords(lang)
    if (lang !== this.#requested) {
      return
    }

    // A move within the page may cause two downloads. Only one retry may stay scheduled.
    this.#cancelTimer()
    if (!words && pauseMs < LONGEST_PAUSE_MS) {
      this.#cancelTimer = this.#environment.clock.after(pauseMs, () => void this.#load(lang, pauseMs * 2))
    }

    this.#use(words ?? en)
  }

  #use(words: Words) {
    if (this.hasWords && words === this.#builtIn) {
      return
    }

    this.#builtIn = words
    this.hasWords = true
    this.#host.requestUpdate()
  }
}
