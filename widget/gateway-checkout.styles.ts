/**
 * Of the page's styles nothing comes in but the font, whether it is seen and pressed at all, and colours: `Canvas`
 * and `CanvasText` follow the `color-scheme` in force around the tag, so a page in the dark gets a dark element
 * without being asked, and shades are mixed from those two; where nothing can be mixed, the plain ones stand in.
 * Sizes follow the reader's, and are 16 px at least: a page may have made `rem` smaller. Nothing moves.
 */

const css = String.raw

export const styles = css`
  :host {
    --icon: 'i';
    display: block;
    max-inline-size: max(26rem, 416px);
  }
  :host([hidden]),
  [hidden] {
    display: none;
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  :host([state='paid']) {
    --hue: #084;
    --icon: '✓';
  }
  :host(:is([state='partial'], [state='jammed'], [state='pending'], [state='review'])) {
    --hue: #b60;
    --icon: '!';
  }
  :host(:is([state='details'], [state='unpaid'], [state='expired'], [state='error'])) {
    --hue: #c31;
    --icon: '×';
  }
  * {
    box-sizing: border-box;
    margin: 0;
  }
  .base {
    all: initial;
    --accent: var(--gateway-checkout-accent, #0f6e5c);
    --soft: color-mix(in srgb, CanvasText 70%, Canvas);
    --tone: color-mix(in srgb, var(--hue, #26c) 65%, CanvasText);
    display: block;
    color: var(--gateway-checkout-text, CanvasText);
    color-scheme: inherit;
    pointer-events: inherit;
    visibility: inherit;
    font-size: max(1rem, 16px);
    line-height: 1.5;
    font-family: var(--gateway-checkout-font, inherit);
  }
  p:empty {
    display: none;
  }
  .card,
  .card div {
    display: grid;
    gap: 0.5em;
    overflow-wrap: anywhere;
  }
  .card ~ *,
  ::slotted([slot='footer']) {
    margin-block-start: 0.5em;
  }
  strong {
    display: flex;
    gap: 0.5em;
    align-items: start;
    color: var(--tone);
  }
  strong::before {
    flex: 0 0 1.5em;
    border-radius: 1em;
    color: Canvas;
    background: var(--tone);
    content: var(--icon) / '';
    text-align: center;
  }
  .soft {
    color: var(--soft);
    font-size: 0.875em;
  }
  [part='amount'] {
    font-size: 1.5em;
  }
  input,
  button,
  a {
    display: block;
    inline-size: 100%;
    color: inherit;
    background: Canvas;
    font: inherit;
  }
  .card,
  input,
  button,
  a {
    padding: 0.75em;
    border: 1px solid;
    border-color: var(--soft);
    border-radius: var(--gateway-checkout-radius, 12px);
  }
  .card,
  button,
  a {
    border-color: transparent;
    background: var(--gateway-checkout-surface, color-mix(in srgb, CanvasText 5%, Canvas));
  }
  [part='amount'],
  label,
  button,
  a {
    font-weight: bold;
    text-decoration: none;
  }
  button,
  a {
    text-align: center;
  }
  [part='button'] {
    color: var(--gateway-checkout-on-accent, #fff);
    background: var(--accent);
  }
  [aria-invalid='true'] {
    border: 2px solid var(--tone);
  }
  [aria-invalid='true'] + p {
    color: var(--tone);
  }
  :disabled {
    opacity: 0.6;
  }
  :focus-visible {
    outline: 3px solid color-mix(in srgb, var(--accent) 65%, CanvasText);
    outline-offset: 2px;
  }
`
