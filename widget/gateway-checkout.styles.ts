/**
 * Colours come from the page: `Canvas` and `CanvasText` follow the `color-scheme` in force around the tag, so a
 * page in the dark gets a dark element without being asked, and shades are mixed from those two.
 */

import { css } from 'lit'

export const styles = css`
  :host {
    --accent: var(--gateway-checkout-accent, #0f6e5c);
    --on-accent: var(--gateway-checkout-on-accent, #fff);
    --text: var(--gateway-checkout-text, CanvasText);
    --surface: var(--gateway-checkout-surface, color-mix(in srgb, CanvasText 3%, Canvas));
    --border: var(--gateway-checkout-border, color-mix(in srgb, CanvasText 16%, Canvas));
    --soft: color-mix(in srgb, var(--text) 72%, transparent);
    --radius: var(--gateway-checkout-radius, 12px);
    --tone: var(--soft);
    display: block;
    max-inline-size: 26rem;
    color: var(--text);
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
    --tone: color-mix(in srgb, #0b8a43 78%, CanvasText);
  }
  :host([state='partial']),
  :host([state='pending']),
  :host([state='jammed']),
  :host([state='review']) {
    --tone: color-mix(in srgb, #b26a00 78%, CanvasText);
  }
  :host([state='unpaid']),
  :host([state='error']) {
    --tone: color-mix(in srgb, #c8321f 78%, CanvasText);
  }
  :host([state='waiting']),
  :host([state='blocked']) {
    --tone: color-mix(in srgb, #2563c9 78%, CanvasText);
  }
  *,
  *::before {
    box-sizing: border-box;
  }
  p,
  dl,
  dd {
    margin: 0;
  }
  .base {
    display: flex;
    flex-direction: column;
    gap: 0.75rem;
  }
  .card {
    display: flex;
    gap: 0.875rem;
    padding: 1rem;
    border: 1px solid var(--border);
    border-radius: var(--radius);
    background: var(--surface);
  }
  .form {
    flex-direction: column;
  }
  .badge {
    position: relative;
    flex: none;
    inline-size: 2.25rem;
    block-size: 2.25rem;
    border-radius: 50%;
    color: var(--tone);
    background: color-mix(in srgb, var(--tone) 14%, transparent);
  }
  .icon {
    display: block;
    inline-size: 100%;
    block-size: 100%;
    padding: 0.375rem;
    fill: none;
    stroke: currentColor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  :host([state='partial']) .icon {
    fill: currentColor;
  }
  :host([state='waiting']) .badge::before {
    content: '';
    position: absolute;
    inset: 0;
    border: 2px solid var(--tone);
    border-radius: 50%;
    animation: breathe 2.4s ease-in-out infinite;
  }
  .story {
    display: flex;
    flex: 1;
    flex-direction: column;
    gap: 0.625rem;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .status:focus {
    outline: none;
  }
  .title {
    display: block;
    font-weight: 650;
    line-height: 2.25rem;
  }
  .story .title {
    line-height: 1.35;
    padding-block: 0.3rem 0.15rem;
  }
  .note,
  .hint,
  .countdown,
  .test,
  .receipt {
    color: var(--soft);
    font-size: 0.875rem;
  }
  .note {
    margin-block-start: 0.375rem;
  }
  .amount {
    font-size: 1.25rem;
    font-weight: 650;
  }
  .digits,
  .amount {
    font-variant-numeric: tabular-nums;
  }
  .digits {
    color: var(--text);
    font-weight: 650;
  }
  .receipt {
    display: grid;
    gap: 0.25rem;
    padding-block-start: 0.625rem;
    border-block-start: 1px dashed var(--border);
  }
  .receipt div {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 1rem;
  }
  dd {
    color: var(--text);
  }
  .test b {
    margin-inline-end: 0.25rem;
    padding: 0.125rem 0.5rem;
    border: 1px solid currentColor;
    border-radius: 1rem;
    font-size: 0.75rem;
    font-weight: 650;
  }
  .field {
    display: grid;
    gap: 0.25rem;
  }
  label {
    font-size: 0.875rem;
    font-weight: 600;
  }
  input {
    inline-size: 100%;
    min-block-size: 44px;
    padding: 0.5rem 0.75rem;
    border: 1px solid color-mix(in srgb, CanvasText 50%, Canvas);
    border-radius: calc(var(--radius) * 0.67);
    color: inherit;
    background: Canvas;
    font: inherit;
  }
  input[aria-invalid='true'] {
    border-color: color-mix(in srgb, #c8321f 78%, CanvasText);
    border-width: 2px;
  }
  .problem {
    color: color-mix(in srgb, #c8321f 78%, CanvasText);
    font-size: 0.875rem;
  }
  .hint:empty {
    display: none;
  }
  .actions {
    display: grid;
    gap: 0.5rem;
  }
  .button {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 0.625rem;
    inline-size: 100%;
    min-block-size: 48px;
    padding: 0.625rem 1.25rem;
    border: 1px solid transparent;
    border-radius: var(--radius);
    font: inherit;
    font-weight: 650;
    line-height: 1.25;
    text-align: center;
    text-decoration: none;
    cursor: pointer;
    transition: filter 120ms;
  }
  .primary {
    color: var(--on-accent);
    background: var(--accent);
  }
  .quiet {
    color: inherit;
    background: transparent;
    border-color: var(--border);
  }
  .button:hover {
    filter: brightness(1.08);
  }
  .button:active {
    filter: brightness(0.94);
  }
  .button:disabled {
    opacity: 0.55;
    cursor: not-allowed;
  }
  .button[aria-busy='true'] {
    cursor: progress;
  }
  .button:focus-visible,
  input:focus-visible,
  .status:focus-visible {
    outline: 3px solid color-mix(in srgb, var(--accent) 65%, CanvasText);
    outline-offset: 2px;
  }
  .spinner {
    inline-size: 1.125rem;
    block-size: 1.125rem;
    border: 2px solid currentColor;
    border-block-start-color: transparent;
    border-radius: 50%;
    animation: turn 0.8s linear infinite;
  }
  .unseen {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @keyframes turn {
    to {
      transform: rotate(1turn);
    }
  }
  @keyframes breathe {
    50% {
      transform: scale(1.18);
      opacity: 0.25;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before {
      animation: none !important;
      transition: none !important;
    }
  }
  @media (forced-colors: active) {
    .button,
    .badge {
      border: 1px solid;
    }
  }
`
