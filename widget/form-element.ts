/** An element that takes part in forms and draws itself, as far as that is the same for any element. */

// The assertion holds because nothing is constructed where there is no HTMLElement: there it only has to load.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

export abstract class FormElement extends Base {
  static formAssociated = true

  /** Resolves when what was asked for has been drawn; `null` when nothing is due. */
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

  /** However often it is asked for, it is drawn once, when the script that asked is done. */
  requestUpdate(): void {
    this.updateComplete ??= Promise.resolve().then(() => {
      this.updateComplete = null
      if (this.isConnected) this.update()
    })
  }

  protected abstract update(): void
}
