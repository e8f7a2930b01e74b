/** Defines what the second file (`flow.ts`) gets from the element. */

import type { LitElement } from 'lit'
import type { CheckoutView } from '../../server/api/view.ts'
import type { CheckoutAttributes } from './attributes.ts'
import type { Frame, Look } from './button.ts'
import type { CheckoutWords } from '../words/custom-words.ts'
import type { Environment } from '../browser/environment.ts'
import type { CheckoutErrorDetail, CheckoutEventMap } from '../session/events.ts'
import type { RenderingLit } from '../card/lit.ts'
import type { Payer } from '../bff/payer.ts'
import type { CheckoutState } from '../session/state.ts'

export type CheckoutElement = LitElement & CheckoutAttributes & { words: CheckoutWords | null | undefined }

export interface ElementHost {
  readonly element: CheckoutElement
  readonly internals: ElementInternals
  readonly environment: Environment
  readonly lit: RenderingLit
  /** The BFF's URL for elements without a `server` attribute. */
  readonly defaultServer: () => string
  /** Replaces what the element does, and draws the element. */
  readonly conduct: (conduct: Conduct) => void
  /** Dispatches a DOM event; returns `false` if the page canceled the event. */
  readonly dispatch: (
    type: keyof CheckoutEventMap,
    detail: CheckoutView | CheckoutErrorDetail | null,
  ) => boolean
}

/** The properties that an update has changed, with their values before the update. */
export interface Changes {
  has(property: string): boolean
  get(property: 'order' | 'server'): string | undefined
}

/** What the element does: before the second file has arrived (`early.ts`), and afterwards (`flow.ts`). */
export interface Conduct {
  readonly state: CheckoutState
  readonly checkout: CheckoutView | null
  /** The message of a form that requires the payment. */
  readonly required: string
  /** Called when the element enters a document. */
  connect?(): void
  press(asksPhone: boolean): void
  reset(): void
  /** Called when the surrounding form is reset. */
  resetForm?(): void
  update(changed: Changes): void
  /** Renders what surrounds the button. Returns what the frame shows. */
  draw(root: ShadowRoot, frame: Frame): Look
  updated?(root: ShadowRoot): void
}

/** A press that waits for the second file. */
export interface EarlyPress {
  /** Whether the payer is asked on the phone, instead of opening the hosted page. */
  asksPhone: boolean
  payer: Payer
  /** Whether the checkout starts as soon as possible. Otherwise, a form or an error comes first. */
  isStart: boolean
  /** The pop-up; `null` if the browser blocked the pop-up, absent if none is wanted. */
  popup?: Window | null
}
