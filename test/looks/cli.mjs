// `npm run picture` takes the picture of the README from the running demo, and stores it. A person looks at it.
import { writeFileSync } from 'node:fs'
import { runnerImport } from 'vite'

const { module } = await runnerImport('./test/looks/readme-picture.ts', {
  configFile: false,
  logLevel: 'error',
})
writeFileSync('demo/screenshot.png', await module.takePicture())
