import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

// SvelteKit refuses forms of another origin than ORIGIN; without it, it takes https:// and the host of a request.
const origin = process.env.ORIGIN

export default defineConfig({ plugins: [sveltekit({ adapter: adapter(), paths: { origin } })] })
