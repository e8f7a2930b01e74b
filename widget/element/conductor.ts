/**
 * Conducts what the element does. A press asks the page, and opens the pop-up inside the click; then it belongs to the
 * session, which the second file (`flow.ts`) adds. A press before that file has arrived waits for it. If the file cannot
 * be had, a plain form opens the hosted page.
 */

import { openPopup, POPUP, prefersPopup } from '../browser/popup.ts'
import { forget, readStored, storageKey } from '../browser/tab-storage.ts'
import { givenPayer, isComplete, isDisabled, settingsOf } from './checkout-settings.ts'
import { loadedFlow, loadFlow, loadFlowWhenIdle, whenIdle } from './flow-loader.ts'
import { idleLook } from './idle-look.ts'

import type { Look } from './button.ts'
import type { Changes, ElementHost, Press } from './element-host.ts'
import type { Flow } from './flow.ts'

export class Conductor {
  /** What the second file adds; `null` before it has arrived. */
  flow: Flow | null = null

  readonly #host: ElementHost
  /** The press that opens its pop-up, or waits for the second file. */
  #press: Press | null = null
  /** Whether the second file is on its way because there is a checkout to resume. */
  #isResuming = false

  constructor(host: ElementHost) {
    this.#host = host
    this.#addFlow()
  }

  get state() {
    return this.flow?.state ?? (this.#press?.opens ? 'starting' : this.#isResuming ? 'waiting' : 'idle')
  }

  /** Called when the element enters a document. */
  connect(): void {
    const { element, environment } = this.#host
    // The element's new ancestors may have another `lang`.
    element.requestUpdate(this.state === 'idle' ? 'checkoutId' : undefined)
    if (this.flow) return
    // One element after the other, so that a page with many elements stays responsive.
    void loadFlowWhenIdle(environment)
      .then(() => whenIdle(environment))
      .then(
        () => this.#addFlow(),
        () => {},
      )
  }

  press(asksPhone: boolean): void {
    const { element, environment, dispatch } = this.#host
    if (this.#press) return this.#press.popup?.focus()
    if (isDisabled(element) || this.#isResuming) return
    const reopens = this.flow?.reopens(asksPhone)
    if (reopens === false) return
    const { base, order, launch } = settingsOf(this.#host)
    const payer = this.flow?.entry.payer() ?? givenPayer(element)
    const opens = reopens ?? Boolean(base && order && isComplete(payer, asksPhone))
    // The press is known before the pop-up opens: Firefox meanwhile runs other tasks, which may press again.
    const press: Press = (this.#press = { asksPhone, payer, opens })
    if (opens && !dispatch('checkout-open', this.flow?.checkout ?? null)) return this.#drop()
    if (opens && (reopens || !asksPhone) && prefersPopup(launch, environment.window))
      press.popup = openPopup(environment.window, this.idle())
    // One of those tasks may have reset the element.
    if (this.#press !== press) return press.popup?.close()
    if (this.flow) {
      this.#press = null
      return this.flow.begin(press)
    }
    element.requestUpdate()
    this.#waitForFlow(press)
  }

  /** Removes the checkout from the element and from the tab's storage. A payment in progress continues. */
  reset(): void {
    forget(this.#host.environment.window, storageKey(settingsOf(this.#host)))
    this.#isResuming = false
    this.#drop()
    this.flow?.reset()
  }

  update(changed: Changes): void {
    if (this.flow) return this.flow.update(changed)
    const { element } = this.#host
    const order = changed.get('order')
    if (order && order !== element.order) this.#drop()
    if (['order', 'server', 'checkoutId'].some((name) => changed.has(name))) this.#findCheckout()
  }

  /** Returns what the element shows before the second file has arrived. */
  idle(): Look {
    return idleLook(this.#host, this.state, Boolean(this.#press))
  }

  /** Continues with the second file if it has arrived. */
  #addFlow(): void {
    const file = loadedFlow()
    if (this.flow || !file) return
    this.flow = new file.Flow(this.#host)
    this.#isResuming = false
    const press = this.#press
    this.#press = null
    if (press?.opens) this.flow.begin(press)
    else if (press) this.press(press.asksPhone)
  }

  #waitForFlow(press: Press): void {
    const { window, clock } = this.#host.environment
    const fail = () => {
      if (this.#press !== press) return
      const isFramed = prefersPopup('redirect', window)
      // The form leads the pop-up of a frame to the hosted page, which refuses to be framed.
      if (isFramed) press.popup = null
      this.#drop()
      postPress(this.#host, press, isFramed ? POPUP : '_top')
    }
    // A browser may keep this page in its back/forward cache, and the pop-up would never get a URL.
    window.addEventListener('pagehide', () => this.#drop(), { once: true })
    // A browser would wait for minutes. [assumed]
    clock.after(20_000, fail)
    void loadFlow().then(() => this.#addFlow(), fail)
  }

  /** Forgets the press that waits for the second file. */
  #drop(): void {
    this.#press?.popup?.close()
    this.#press = null
    this.#host.element.requestUpdate()
  }

  /**
   * Downloads the second file at once if there is a checkout to resume. Reading the tab's storage holds up the first
   * drawing of a page, so that is left to the second file unless the page was loaded again.
   */
  #findCheckout(): void {
    const { element, environment } = this.#host
    const { window } = environment
    const stored =
      window.performance.navigation.type > 0 && readStored(window, storageKey(settingsOf(this.#host)))
    this.#isResuming = Boolean(!this.#press && (element.checkoutId || stored))
    if (!this.#isResuming) return
    void loadFlow().then(
      () => this.#addFlow(),
      () => {
        this.#isResuming = false
        element.requestUpdate()
      },
    )
  }
}

/** Opens the hosted page in the window `target`. The payment server answers the form with a redirect. */
function postPress(host: ElementHost, { opens, payer }: Press, target: string): void {
  const { element, environment } = host
  const { base, fields } = settingsOf(host)
  if (!base || !element.isConnected || (!opens && !host.dispatch('checkout-open', null))) return
  const { document } = environment.window
  const action = `${base}/checkout/initiate`
  const form = Object.assign(document.createElement('form'), { method: 'post', action, target })
  for (const [name, value] of Object.entries({ ...fields(), ...payer, launch: 'redirect' }))
    form.append(Object.assign(document.createElement('input'), { name, value }))
  // Nothing is drawn before the form is removed.
  document.body.append(form)
  form.submit()
  form.remove()
}
