/**
 * Colours come from the page: `Canvas` and `CanvasText` follow the `color-scheme` in force around the tag, so a
 * page in the dark gets a dark element without being asked, and shades are mixed from those two. Nothing moves.
 */

const css = String.raw

export const styles = css`
  :host {
    --accent: var(--gateway-checkout-accent, #0f6e5c);
    --soft: color-mix(in srgb, CanvasText 70%, Canvas);
    --tone: color-mix(in srgb, var(--hue, #2563c9) 65%, CanvasText);
    display: block;
    max-inline-size: 26rem;
    color: var(--gateway-checkout-text, CanvasText);
    font: 1rem/1.5 sans-serif;
    font-family: var(--gateway-checkout-font, inherit);
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
    --hue: #0b8a43;
  }
  :host(:is([state='partial'], [state='jammed'], [state='pending'], [state='review'])) {
    --hue: #b26a00;
  }
  :host(:is([state='details'], [state='unpaid'], [state='error'])) {
    --hue: #c8321f;
  }
  * {
    box-sizing: border-box;
    margin: 0;
  }
  p:empty {
    display: none;
  }
  .card,
  .card div,
  form,
  form div {
    display: grid;
    gap: 0.5rem;
    overflow-wrap: anywhere;
  }
  .card,
  form {
    padding: 1rem;
    background: var(--gateway-checkout-surface, color-mix(in srgb, CanvasText 5%, Canvas));
  }
  .card ~ *,
  form ~ *,
  ::slotted([slot='footer']) {
    margin-block-start: 0.5rem;
  }
  .card {
    border-inline-start: 4px solid var(--tone);
  }
  .unseen {
    position: absolute;
    clip-path: inset(50%);
  }
  strong {
    color: var(--tone);
  }
  :host([state='paid']) strong::before {
    content: '✓ ' / '';
  }
  .soft {
    color: var(--soft);
    font-size: 0.875rem;
  }
  [part='amount'] {
    font-size: 1.5rem;
  }
  input,
  button,
  a {
    display: block;
    inline-size: 100%;
    padding: 0.75rem;
    border: 1px solid var(--soft);
    color: inherit;
    background: Canvas;
    font: inherit;
  }
  .card,
  form,
  input,
  button,
  a {
    border-radius: var(--gateway-checkout-radius, 12px);
  }
  [aria-invalid='true'] {
    border: 2px solid var(--tone);
  }
  [aria-invalid='true'] + p {
    color: var(--tone);
  }
  label,
  button,
  a {
    font-weight: bold;
  }
  button,
  a {
    text-align: center;
    text-decoration: none;
  }
  [part='button'] {
    border-color: transparent;
    color: var(--gateway-checkout-on-accent, #fff);
    background: var(--accent);
  }
  :disabled,
  [aria-busy='true'] {
    opacity: 0.6;
  }
  :focus-visible {
    outline: 3px solid color-mix(in srgb, var(--accent) 65%, CanvasText);
    outline-offset: 2px;
  }
`
