import { css } from 'lit'

/**
 * Colours come from the page: `Canvas` and `CanvasText` follow the `color-scheme` in force around the tag, so a
 * page in the dark gets a dark element without being asked, and shades are mixed from those two.
 */

export const styles = css`
  :host {
    --accent: var(--gateway-checkout-accent, #0f6e5c);
    --soft: color-mix(in srgb, CanvasText 70%, Canvas);
    --line: color-mix(in srgb, CanvasText 18%, Canvas);
    --tone: color-mix(in srgb, var(--hue, #2563c9) 75%, CanvasText);
    --radius: var(--gateway-checkout-radius, 12px);
    display: block;
    max-inline-size: 26rem;
    color: var(--gateway-checkout-text, CanvasText);
    font: 1rem/1.5 var(--gateway-checkout-font, system-ui, sans-serif);
    text-align: start;
  }
  :host([hidden]) {
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
  :host(:is([state='partial'], [state='pending'], [state='jammed'], [state='review'])) {
    --hue: #b26a00;
  }
  :host(:is([state='details'], [state='unpaid'], [state='error'])) {
    --hue: #c8321f;
  }
  :host(:is([state='expired'], [state='reversed'], [state='refunded'])) {
    --hue: #667;
  }
  * {
    box-sizing: border-box;
    margin: 0;
  }
  :empty:is(p, strong) {
    display: none;
  }
  .base,
  .card,
  .story,
  form,
  [part='field'] {
    display: grid;
    gap: 0.75rem;
  }
  .story,
  [part='field'] {
    gap: 0.375rem;
    overflow-wrap: anywhere;
  }
  .card,
  form {
    padding: 1rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--gateway-checkout-surface, color-mix(in srgb, CanvasText 3%, Canvas));
  }
  .card {
    grid-template-columns: 2.25rem 1fr;
  }
  svg {
    padding: 0.375rem;
    border-radius: 50%;
    fill: none;
    stroke: var(--tone);
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
    background: color-mix(in srgb, var(--tone) 15%, Canvas);
  }
  :host([state='partial']) svg {
    fill: var(--tone);
  }
  strong,
  label,
  [part='amount'] {
    font-weight: 650;
  }
  .story strong {
    display: block;
    padding-block: 0.375rem;
  }
  [part='amount'] {
    font-size: 1.25rem;
  }
  .soft {
    color: var(--soft);
    font-size: 0.875rem;
    font-variant-numeric: tabular-nums;
  }
  [aria-invalid='true'] + p {
    color: var(--tone);
  }
  b {
    padding: 0.125rem 0.5rem;
    border: 1px solid;
    border-radius: 1rem;
    font-size: 0.75rem;
  }
  [part='receipt'] {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 0 1rem;
    margin-block-start: 0.375rem;
    padding-block-start: 0.5rem;
    border-block-start: 1px dashed var(--line);
  }
  dd {
    text-align: end;
  }
  input,
  button,
  a {
    inline-size: 100%;
    min-block-size: 48px;
    padding: 0.5rem 0.75rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    color: inherit;
    background: Canvas;
    font: inherit;
  }
  input {
    border-color: var(--soft);
  }
  [aria-invalid='true'] {
    border: 2px solid var(--tone);
  }
  button,
  a {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 0.625rem;
    font-weight: 650;
    text-decoration: none;
    cursor: pointer;
  }
  .primary {
    border-color: transparent;
    color: var(--gateway-checkout-on-accent, #fff);
    background: var(--accent);
  }
  button:hover {
    filter: brightness(1.1);
  }
  :disabled {
    opacity: 0.55;
    cursor: default;
  }
  :focus-visible {
    outline: 3px solid color-mix(in srgb, var(--accent) 65%, CanvasText);
    outline-offset: 2px;
  }
  i {
    flex: none;
    inline-size: 1.125rem;
    block-size: 1.125rem;
    border: 2px solid;
    border-block-start-color: transparent;
    border-radius: 50%;
    animation: turn 0.8s linear infinite;
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
  :host([state='waiting']) svg {
    animation: breathe 3s ease-in-out infinite;
  }
  @keyframes breathe {
    50% {
      opacity: 0.5;
    }
  }
  @media (prefers-reduced-motion) {
    * {
      animation: none !important;
    }
  }
  .unseen {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
`
