/** The templates that `npm create gateway-checkout` offers. */

interface Template {
  title: string
  /** The folders in `templates/` whose files make up the project. */
  parts: readonly string[]
}

export const NAMES = ['node', 'express', 'hono', 'next', 'php', 'python'] as const
export type TemplateName = (typeof NAMES)[number]

export const TEMPLATES: Readonly<Record<TemplateName, Template>> = {
  node: {
    title: "Node's own HTTP server and a plain HTML page",
    parts: ['every', 'page', 'one-process', 'node'],
  },
  express: { title: 'Express 5 and a plain HTML page', parts: ['every', 'page', 'one-process', 'express'] },
  hono: { title: 'Hono and a plain HTML page', parts: ['every', 'page', 'one-process', 'hono'] },
  next: { title: 'Next with its App Router', parts: ['every', 'one-process', 'next'] },
  php: { title: 'PHP 8 and a plain HTML page', parts: ['every', 'page', 'three-processes', 'php'] },
  python: {
    title: 'Python 3, standard library only, and a plain HTML page',
    parts: ['every', 'page', 'three-processes', 'python'],
  },
}

export function isTemplateName(text: string): text is TemplateName {
  return NAMES.some((name) => name === text)
}
