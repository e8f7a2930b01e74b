/** The style sheet of the pages that this server shows to shoppers. */
export const STYLE = `
  :root { --ink: #17231d; --soft: #52605a; --paper: #fff; --ground: #f3f5f2; --line: #dfe5e1; --plain: #f1f4f2;
    --accent: #0f6e5c; --on-accent: #fff; --tint: #e8f3f0; --warn: #8a4b00; --warn-tint: #fdf2e1 }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #eaf1ed; --soft: #a9b8b0; --paper: #17201c; --ground: #0e1412; --line: #2d3a34; --plain: #202b26;
      --accent: #5fcfb3; --on-accent: #06281d; --tint: #143028; --warn: #f5c07a; --warn-tint: #33260f }
  }
  * { box-sizing: border-box }
  body { margin: 0; min-height: 100svh; display: grid; grid-template-columns: minmax(0, 26rem); place-content: center; padding: 1rem min(1rem, 4vw);
    font: 1rem/1.45 system-ui, sans-serif; color: var(--ink); background: var(--ground) }
  main { padding: 2rem min(1.5rem, 5vw) 1.5rem; border: 1px solid var(--line); border-radius: 1.25rem;
    background: var(--paper); text-align: center; overflow-wrap: break-word; min-width: 0 }
  .mark { position: relative; width: 4rem; height: 4rem; margin: 0 auto; border-radius: 50%; display: grid;
    place-items: center; background: var(--plain) }
  .mark svg { width: 2rem; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
  [dir='rtl'] :is(.reversed, .refunded) svg { transform: scaleX(-1) }
  .paid .mark { background: var(--tint); color: var(--accent) }
  :is(.jammed, .review) .mark { background: var(--warn-tint); color: var(--warn) }
  :is(.waiting, .pending) .mark::after { content: ''; position: absolute; inset: 0; border: 2px solid var(--accent);
    border-radius: 50% }
  h1 { margin: .875rem 0 0; font-size: 1.1875rem; line-height: 1.3 }
  .paid h1 { color: var(--accent) }
  p { margin: .25rem 0 0; color: var(--soft) }
  .amount { color: var(--ink); font-size: 1.5rem; font-weight: 700; font-variant-numeric: tabular-nums }
  .paid .amount { font-size: min(2.125rem, 11vw); line-height: 1.25; letter-spacing: -.02em }
  progress, progress::-webkit-progress-bar { appearance: none; display: block; width: 100%; height: .5rem; border: 0;
    border-radius: .25rem; background: var(--line); overflow: hidden }
  progress { margin: .75rem 0 }
  progress::-webkit-progress-value { background: var(--accent) }
  progress::-moz-progress-bar { background: var(--accent) }
  .reference, .test { font-size: .875rem }
  .reference { margin-top: 1rem; padding-top: .75rem; border-top: 1px solid var(--line) }
  code { display: block; font: .8125rem/1.5 ui-monospace, monospace; color: var(--ink); overflow-wrap: anywhere;
    user-select: all }
  a { display: block; min-height: 3rem; margin-top: 1rem; padding: .75rem min(1rem, 4vw); border-radius: .75rem; color: var(--accent);
    font-weight: 600; text-underline-offset: 3px }
  a.primary { background: var(--accent); color: var(--on-accent); text-decoration: none }
  a.primary:hover { background: color-mix(in srgb, var(--accent) 88%, var(--ink)) }
  a.primary:active { background: color-mix(in srgb, var(--accent) 76%, var(--ink)) }
  a small { display: block; font-weight: 400; overflow-wrap: anywhere }
  a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
  @media (prefers-reduced-motion: no-preference) {
    :is(.waiting, .pending) .mark::after { animation: ring 2s ease-out infinite }
    .paid .mark { animation: appear .3s }
  }
  @keyframes ring { to { opacity: 0; scale: 1.4 } }
  @keyframes appear { from { opacity: 0; scale: .6 } }
  @media (forced-colors: active) { a.primary, .mark, progress { border: 1px solid } }
`
