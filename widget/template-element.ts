/**
 * The little of LitElement that this element needs, at a sixth of its size: a page downloads 12 kB for
 * everything, and Lit's templates alone are three of them.
 */

import { render } from 'lit/html.js'

import type { TemplateResult } from 'lit/html.js'

// The assertion holds because nothing is constructed where there is no HTMLElement: there it only has to load.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

export abstract class TemplateElement extends Base {
  static formAssociated = true

  /** Resolves when what was asked for has been rendered; `null` when nothing is due. */
  updateComplete: Promise<void> | null = null

  protected readonly root = this.attachShadow({ mode: 'open', delegatesFocus: true })
  protected readonly internals = this.attachInternals()

  get form(): HTMLFormElement | null {
    return this.internals.form
  }

  get validity(): ValidityState {
    return this.internals.validity
  }

  checkValidity(): boolean {
    return this.internals.checkValidity()
  }

  reportValidity(): boolean {
    return this.internals.reportValidity()
  }

  /** However often it is asked for, it is rendered once, when the script that asked is done. */
  requestUpdate(): void {
    this.updateComplete ??= Promise.resolve().then(() => {
      this.updateComplete = null
      if (this.isConnected) this.update()
    })
  }

  protected show(template: TemplateResult): void {
    render(template, this.root)
  }

  protected abstract update(): void
}
