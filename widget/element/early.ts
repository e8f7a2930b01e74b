/**
 * What the element does before the second file (`flow.ts`) has arrived. A press opens the pop-up inside the click; the
 * checkout starts when the file has arrived. If the file cannot be had, a plain form opens the hosted page.
 */

import { idleLook } from './idle-look.ts'
import { loadedFlow, loadFlow, loadFlowWhenIdle, whenIdle } from './flow-loader.ts'
import { openPopup, POPUP, prefersPopup } from '../browser/popup.ts'
import { givenPayer, isComplete, isDisabled, settingsOf } from './checkout-settings.ts'
import { forget, readStored, storageKey } from '../browser/tab-storage.ts'

import type { Look } from './button.ts'
import type { Changes, Conduct, EarlyPress, ElementHost } from './element-host.ts'

export class Early implements Conduct {
  readonly checkout = null
  readonly required = 'Please pay first.'

  readonly #host: ElementHost
  #press: EarlyPress | null = null
  /** Whether the second file is on its way because there is a checkout to resume. */
  #isResuming = false

  constructor(host: ElementHost) {
    this.#host = host
  }

  get state() {
    return this.#press?.isStart ? 'starting' : this.#isResuming ? 'waiting' : 'idle'
  }

  /** Continues with the second file once, when it has arrived. */
  hand(): void {
    const file = loadedFlow()
    if (!file) return
    this.hand = () => {}
    const press = this.#press
    this.#press = null
    const flow = new file.Flow(this.#host)
    this.#host.conduct(flow)
    if (press) flow.begin(press)
  }

  connect(): void {
    // The element's new ancestors may have another `lang`.
    this.#host.element.requestUpdate('checkoutId')
    const { environment } = this.#host
    // One element after the other, so that a page with many elements stays responsive.
    void loadFlowWhenIdle(environment)
      .then(() => whenIdle(environment))
      .then(
        () => this.hand(),
        () => {},
      )
  }

  press(asksPhone: boolean): void {
    if (this.#press) this.#press.popup?.focus()
    else if (!isDisabled(this.#host.element) && !this.#isResuming) this.#begin(asksPhone)
  }

  reset(): void {
    forget(this.#host.environment.window, storageKey(settingsOf(this.#host)))
    this.#isResuming = false
    this.#drop()
  }

  update(changed: Changes): void {
    const { element } = this.#host
    const order = changed.get('order')
    if (order && order !== element.order) this.#drop()
    if (['order', 'server', 'checkoutId'].some((name) => changed.has(name))) this.#findCheckout()
  }

  draw(): Look {
    return idleLook(this.#host, this.state, Boolean(this.#press))
  }

  /** Opens the pop-up, which browsers allow only inside a click, and waits with the press for the second file. */
  #begin(asksPhone: boolean): void {
    const { element, environment, dispatch } = this.#host
    const { window, clock } = environment
    const { base, order, launch } = settingsOf(this.#host)
    const payer = givenPayer(element)
    const isStart = Boolean(base && order && isComplete(payer, asksPhone))
    // The press is known before the pop-up opens: Firefox meanwhile runs other tasks, which may press again.
    const press: EarlyPress = (this.#press = { asksPhone, payer, isStart })
    if (isStart && !dispatch('checkout-open', null)) return this.#drop()
    if (isStart && !asksPhone && prefersPopup(launch, window)) press.popup = openPopup(window, this.draw())
    // One of those tasks may have reset the element.
    if (this.#press !== press) return press.popup?.close()
    element.requestUpdate()
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
    void loadFlow().then(() => this.hand(), fail)
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
      () => this.hand(),
      () => {
        this.#isResuming = false
        element.requestUpdate()
      },
    )
  }
}

/** Opens the hosted page in the window `target`. The payment server answers the form with a redirect. */
function postPress(host: ElementHost, { isStart, payer }: EarlyPress, target: string): void {
  const { element, environment } = host
  const { base, fields } = settingsOf(host)
  if (!base || !element.isConnected || (!isStart && !host.dispatch('checkout-open', null))) return
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
