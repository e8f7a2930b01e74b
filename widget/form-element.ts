/** An element that takes part in forms, as far as that is the same for any element. */

import { LitElement } from 'lit'

export class FormElement extends LitElement {
  static formAssociated = true

  readonly #internals = this.attachInternals()

  get form(): HTMLFormElement | null {
    return this.#internals.form
  }

  get validity(): ValidityState {
    return this.#internals.validity
  }

  checkValidity(): boolean {
    return this.#internals.checkValidity()
  }

  reportValidity(): boolean {
    return this.#internals.reportValidity()
  }

  /**
   * @param value what a form sends under `name`, or `null` for nothing.
   * @param missing what to say while a required value is missing, or empty.
   * @param anchor where the browser points when it says so.
   */
  protected setFormState(value: string | null, missing: string, anchor: HTMLElement) {
    this.#internals.setFormValue(value)
    this.#internals.setValidity({ valueMissing: missing !== '' }, missing, anchor)
  }
}
