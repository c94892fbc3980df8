/** The browser's recorder: sound from the microphone as one file, or why there is none. */

/** What recorders make and the server takes, the smallest first: Chrome and Firefox, Safari. */
const TYPES = {
  'audio/webm;codecs=opus': 'webm',
  'audio/ogg;codecs=opus': 'ogg',
  'audio/mp4': 'm4a',
} as const;

/** Speech needs no more; a minute is a quarter of a megabyte. */
const BITS = 32_000;

export const MOST_SECONDS = 60;

/** The browser has no recorder (or the page came without TLS), it may not be used, or there is no microphone. */
export type Obstacle = 'none' | 'denied' | 'missing';

export interface Recording {
  /** Ends it; the file follows. */
  stop: () => void;
  /** Ends it without a file. */
  drop: () => void;
}

function bestType(): keyof typeof TYPES | undefined {
  if (typeof MediaRecorder === 'undefined' || !navigator.mediaDevices) return undefined;
  return (Object.keys(TYPES) as (keyof typeof TYPES)[]).find((type) => MediaRecorder.isTypeSupported(type));
}

export function canRecord(): boolean {
  return bestType() !== undefined;
}

function obstacleOf(error: unknown): Obstacle {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  return name === 'NotFoundError' ? 'missing' : 'none';
}

/** Asks for the microphone and records at once, for a minute at most; `done` gets the file. */
export async function record(done: (file: File) => void): Promise<Recording | Obstacle> {
  const type = bestType();
  if (!type) return 'none';
  let stream: MediaStream | undefined;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    return begin(stream, type, done);
  } catch (error) {
    for (const track of stream?.getTracks() ?? []) track.stop();
    return obstacleOf(error);
  }
}

function begin(stream: MediaStream, type: keyof typeof TYPES, done: (file: File) => void): Recording {
  const recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: BITS });
  const parts: Blob[] = [];
  let wanted = true;
  const stop = () => {
    if (recorder.state !== 'inactive') recorder.stop();
  };
  const last = setTimeout(stop, MOST_SECONDS * 1000);
  recorder.ondataavailable = ({ data }) => parts.push(data);
  // Also when the microphone is unplugged: what was said until then is kept.
  recorder.onstop = () => {
    clearTimeout(last);
    for (const track of stream.getTracks()) track.stop();
    if (wanted) done(new File(parts, `voice.${TYPES[type]}`, { type }));
  };
  recorder.start();
  return {
    stop,
    drop: () => {
      wanted = false;
      stop();
    },
  };
}
