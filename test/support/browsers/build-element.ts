import { createBuilder } from 'vite'

export const BUILT_ELEMENT = 'node_modules/.cache/built-element'

export default async function setup(): Promise<void> {
  const environments = { cdn: { build: { outDir: BUILT_ELEMENT, emptyOutDir: true } } }
  const builder = await createBuilder({ logLevel: 'error', environments })
  await builder.build(builder.environments.cdn!)
}
