/**
 * Gives the second file the Lit of the first file. The second file cannot contain Lit itself, because a page may have
 * only one Trusted Types policy of Lit, and cannot import the first file, which may have any address.
 */

import type * as Lit from 'lit'

export type RenderingLit = Pick<typeof Lit, 'html' | 'render'>

export let html: RenderingLit['html']
export let render: RenderingLit['render']

/** Sets the exports of this module, before the first template is rendered. */
export function setLit(lit: RenderingLit): void {
  ;({ html, render } = lit)
}
