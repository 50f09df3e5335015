import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { type Connect, defineConfig, type Plugin } from 'vite'
import { relativeSizes } from './relative-sizes.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

/** The same list as the server's: pages visitors may open without signing in. */
const PUBLIC = /^(?:\/en_(?:gb|us))?\/(?:login|change-password|second-factor|reset-password)(?:\/|$)/

/** The Outbox is public while nobody is signed in. */
const OUTBOX = /^(?:\/en_(?:gb|us))?\/outbox\/?$/

/** Pages for patients, the smallest bundle; the same list as the server's. */
const PATIENT = /^(?:\/en_(?:gb|us))?\/(?:consent|unsubscribe|u|download-file|clinicaltrial)(?:\/|$)/i

/** Signing up for the calculator: visitors' own page; the same as the server's. */
const SIGNUP = /^(?:\/en_(?:gb|us))?\/calculator(?:\/|$)/i

/** Sends the public paths to their own page, as the server does, in development and preview. */
function publicPages(): Plugin {
  const rewrite: Connect.NextHandleFunction = (request, _reply, next) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const stranger = !/\bpillar_signed_in=1\b/.test(request.headers.cookie ?? '')
    if (PUBLIC.test(path) || (OUTBOX.test(path) && stranger)) request.url = '/public.html'
    if (SIGNUP.test(path)) request.url = '/signup.html'
    if (PATIENT.test(path)) request.url = '/patient.html'
    if (path.startsWith('/embedded/')) request.url = '/board.html'
    next()
  }
  return {
    name: 'public-pages',
    configureServer: (server) => void server.middlewares.use(rewrite),
    configurePreviewServer: (server) => void server.middlewares.use(rewrite),
  }
}

/** Writes a .br beside every text file of the build, so that the server never compresses at run time. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    closeBundle() {
      const dist = join(here, 'dist')
      for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(?:js|css|html|svg)$/.test(entry.name)) continue
        const file = join(entry.parentPath, entry.name)
        // From an earlier build into the same folder; names contain a hash of the content.
        if (existsSync(`${file}.br`)) continue
        const text = readFileSync(file)
        const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length }
        writeFileSync(`${file}.br`, brotliCompressSync(text, { params }))
      }
    },
  }
}

/** Stops a build in which a file loads a page's own script: a screen needing the file would run the whole page as well. */
function pagesAlone(): Plugin {
  return {
    name: 'pages-alone',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const pages = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
      for (const { fileName, imports } of chunks)
        for (const page of imports.filter((file) => pages.has(file))) this.error(`${fileName} loads the page ${page}.`)
    },
  }
}

type Modules = { getModuleInfo: (id: string) => { isEntry: boolean; importers: readonly string[] } | null }

/** The pages whose first files contain a module, such as 'index' and 'public'. */
function pagesOf(id: string, modules: Modules, seen = new Set<string>()): Set<string> {
  const info = modules.getModuleInfo(id)
  if (!info || seen.has(id)) return new Set()
  seen.add(id)
  if (info.isEntry) return new Set([parse(id).name])
  return new Set(info.importers.flatMap((importer) => [...pagesOf(importer, modules, seen)]))
}

/** Whether a module is a page or its script: loading it runs it, so no file that others load may contain it. */
const isPage = (id: string, modules: Modules): boolean => {
  const info = modules.getModuleInfo(id)
  return info === null || [id, ...info.importers].some((one) => modules.getModuleInfo(one)?.isEntry)
}

/** A file with the modules shared by the first files of exactly these pages. */
const firstOf = (pages: string, name: string, priority: number) => ({
  name: (id: string, modules: Modules) =>
    !isPage(id, modules) && [...pagesOf(id, modules)].sort().join() === pages ? name : null,
  priority,
})

/**
 * The modules needed first are in one file for the portal, one for signing in and one for both; modules that several screens share are in one more.
 * A screen of seventy small files waits half a second for them, six at a time. Charts and the message editor keep their own files.
 */
const FILES = {
  codeSplitting: {
    groups: [
      firstOf('index,public', 'start', 3),
      firstOf('index', 'portal', 2),
      firstOf('public', 'signing-in', 2),
      {
        name: 'screens',
        test: /[\\/](?:apps[\\/]web[\\/]src|packages|@mantine|lucide-react|@floating-ui)[\\/]/,
        minShareCount: 3,
        priority: 1,
      },
    ],
  },
}

/**
 * Four builds into one folder. The patients' pages and the sign-up page are built separately (`--mode patient`, `--mode signup`): parts shared with
 * the portal would be separate files, and a phone pays for each with a request and a kilobyte of headers. The board that other pages embed
 * (`--mode board`) is also separate, because another origin serves it.
 */
export default defineConfig(({ mode }) => {
  const alone = mode === 'patient' || mode === 'signup' || mode === 'board'
  const page = (name: string) => join(here, `${name}.html`)
  const staff = { index: page('index'), public: page('public') }
  return {
    root: here,
    css: { postcss: { plugins: [relativeSizes] } },
    plugins: [react(), publicPages(), pagesAlone(), precompress()],
    build: {
      outDir: 'dist',
      emptyOutDir: !alone,
      copyPublicDir: !alone,
      // Patients keep their phones for long: iOS 15.4 is of March 2022. Staff have what Vite calls widely available, such as Safari 16.4.
      ...(mode === 'patient' || mode === 'signup' ? { target: ['safari15.4', 'chrome99', 'firefox101'] } : {}),
      // No data: URLs, because the content security policy allows fonts and scripts from this origin only.
      assetsInlineLimit: 0,
      rolldownOptions: alone ? { input: { [mode]: page(mode) } } : { input: staff, output: FILES },
    },
    server: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:3000' } },
    preview: { host: '127.0.0.1', proxy: { '/api': 'http://127.0.0.1:3000' } },
  }
})
