/**
 * Large answers travel compressed: a table of 200 pharmacies is 2.6 MB, and 0.5 so. Only JSON that is no short answer about a session: nothing
 * that tells a secret shares a compressed answer with what a stranger chose. Requests are never unpacked.
 */
export const COMPRESSION = {
  ...{ threshold: 32_768, customTypes: /^application\/json/, encodings: ['zstd', 'gzip'] as ('zstd' | 'gzip')[] },
  ...{ zlibOptions: { level: 1 }, syncThreshold: 0, globalDecompression: false },
}
