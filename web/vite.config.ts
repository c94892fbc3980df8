// Builds the console into dist/ and, in development, passes /api on to the server.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { proxy: { '/api': process.env.API_URL ?? 'http://127.0.0.1:8000' } },
  build: { target: 'es2022', chunkSizeWarningLimit: 1200 },
  test: {
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { width: 1440, height: 900 } },
    setupFiles: ['src/testing/setup.ts'],
    // Half of the time went into a window and antd's modules for each file: the files of a worker share both.
    isolate: false,
    pool: 'threads',
    // By default one core is left idle.
    maxWorkers: '100%',
    testTimeout: 60_000,
  },
});
