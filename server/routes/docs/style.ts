/**
 * The style sheet of the page `/docs`. Phones show one column; wide screens show a table of contents at the side. The
 * colours follow the light or dark colour scheme of the reader's device.
 */

export const STYLE = `
  :root { --ink: #16202a; --soft: #5a6672; --paper: #fff; --ground: #f3f5f7; --line: #d9dfe4; --accent: #0b6b4f }
  @media (prefers-color-scheme: dark) {
    :root { --ink: #eef2f5; --soft: #a6b2bd; --paper: #1b232b; --ground: #10161c; --line: #35414c; --accent: #5fd3a8 }
  }
  * { box-sizing: border-box }
  html { scroll-behavior: smooth; scroll-padding-top: 1rem }
  @media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto } }
  body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground) }
  a { color: var(--accent) }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
  code, pre { font: .875em/1.5 ui-monospace, monospace }
  nav { padding: 1.5rem; font-size: .875rem }
  nav h2 { margin: 1rem 0 .25rem; font-size: inherit }
  nav ul { margin: 0; padding: 0; list-style: none }
  nav li a { display: block; padding: .25rem 0; text-decoration: none; overflow-wrap: anywhere }
  [role=search] input { width: 100%; padding: .5rem; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: .375rem }
  main { padding: 1.5rem; max-width: 60rem }
  article { margin: 1rem 0; padding: 1.25rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--paper) }
  h1 { margin-top: 0; line-height: 1.2 }
  h3 { margin: 0 0 .5rem }
  .address { overflow-wrap: anywhere }
  .method { padding: .125rem .5rem; border: 1px solid currentColor; border-radius: .375rem; font-size: .75rem; font-weight: 700; color: var(--accent) }
  .method.post { color: var(--paper); background: var(--accent); border-color: var(--accent) }
  .key, .optional, .problem { color: var(--soft); font-size: .875rem }
  .key::before { content: "· " }
  pre { margin: .5rem 0; padding: 1rem; overflow-x: auto; border-radius: .5rem; background: var(--ground) }
  table { width: 100%; margin: .5rem 0; border-collapse: collapse; font-size: .875rem }
  th, td { padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere }
  tbody th { min-width: 5rem; font-weight: 400 }
  @media (min-width: 64rem) {
    body { display: grid; grid-template-columns: 18rem minmax(0, 1fr) }
    nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto }
  }
`
