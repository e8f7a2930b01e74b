/**
 * Which words a tag speaks: English at once, and those of another language as soon as they are there. What could not
 * be loaded is tried again after pauses that double, and at last no more. A browser that remembers what it could not
 * load, as Firefox does, then asks nobody: there the page speaks English until it is loaded again.
 */

import { langAround, loadWords } from './language.ts'
import { en } from './locales/en.ts'

import type { LitElement, ReactiveController } from 'lit'
import type { Environment } from './environment.ts'
import type { Words } from './locales/en.ts'

const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 600_000

export class Speech implements ReactiveController {
  words: Words = en

  readonly #host: LitElement
  readonly #environment: Environment
  /** The language that was last asked for; none while off the page. */
  #asked = ''
  #cancel = () => {}

  constructor(host: LitElement, environment: Environment) {
    this.#host = host
    this.#environment = environment
    host.addController(this)
  }

  /** The tag's own language, else that of what surrounds it, else the browser's. */
  get lang(): string {
    return langAround(this.#host) || this.#environment.window.navigator.language
  }

  /** Elsewhere on the page, another language may be said around it. */
  hostConnected() {
    this.#host.requestUpdate()
  }

  hostUpdate() {
    const { lang } = this
    if (lang !== this.#asked && this.#host.isConnected) void this.#learn(lang, FIRST_PAUSE_MS)
  }

  hostDisconnected() {
    this.#asked = ''
    this.#cancel()
  }

  async #learn(lang: string, pauseMs: number) {
    this.#cancel()
    this.#asked = lang
    const words = await loadWords(lang)
    if (lang !== this.#asked) return
    // Moved within the page, a tag asks again before it has the answer.
    this.#cancel()
    if (!words && pauseMs < LONGEST_PAUSE_MS)
      this.#cancel = this.#environment.clock.after(pauseMs, () => void this.#learn(lang, pauseMs * 2))
    const known = this.words
    this.words = words ?? en
    if (this.words !== known) this.#host.requestUpdate()
  }
}
