/** Reading a code with the camera: by the browser itself, or by a reader that is fetched where it cannot. */
import { useEffect, useEffectEvent, useRef } from 'react';

const PAUSE = 250;
/** Pixels of the picture's longer side that our own reader looks at: enough for a plate at arm's length. */
const LOOKED_AT = 800;

type Read = (video: HTMLVideoElement) => Promise<string | undefined>;

/** Not yet among the types of the browser. */
interface Detector {
  detect: (source: HTMLVideoElement) => Promise<readonly { rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats?: () => Promise<string[]>;
}

const detectorClass = () => (window as { BarcodeDetector?: DetectorClass }).BarcodeDetector;

/** Without https a browser has no camera. */
export function canScan(): boolean {
  return navigator.mediaDevices?.getUserMedia !== undefined;
}

async function reader(): Promise<Read> {
  const Class = detectorClass();
  // Some browsers have the class, and no code that it reads.
  const known = (await Class?.getSupportedFormats?.().catch(() => [])) ?? ['qr_code'];
  if (Class && known.includes('qr_code')) {
    const detector = new Class({ formats: ['qr_code', 'code_128', 'code_39'].filter(has(known)) });
    return async (video) => (await detector.detect(video))[0]?.rawValue;
  }
  const { readQr } = await import('./readQr');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async (video) => {
    const share = Math.min(1, LOOKED_AT / Math.max(video.videoWidth, video.videoHeight, 1));
    const [width, height] = [Math.round(video.videoWidth * share), Math.round(video.videoHeight * share)];
    if (!context || width === 0 || height === 0) return undefined;
    canvas.width = width;
    canvas.height = height;
    context.drawImage(video, 0, 0, width, height);
    return readQr(context.getImageData(0, 0, width, height));
  };
}

const has = (known: readonly string[]) => (format: string) => known.includes(format) || known.length === 1;

interface CameraProps {
  /** Is told each text once, until another one is read. */
  onRead: (text: string) => void | Promise<void>;
  onDenied: () => void;
}

/** What the camera sees, while it looks for a code. */
export function Camera({ onRead, onDenied }: CameraProps) {
  const video = useRef<HTMLVideoElement>(null);
  const look = useEffectEvent(onRead);
  const fail = useEffectEvent(onDenied);
  useEffect(() => {
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout>;
    let gone = false;
    const watch = async (read: Read, last?: string) => {
      let text = last;
      try {
        text = video.current ? await read(video.current) : undefined;
        // What was looked for in vain is not asked again while the camera still points at it.
        if (text && text !== last && !gone) await look(text);
      } catch {
        // A picture that is not ready yet, or a call that failed: the next one may do.
      }
      if (!gone) timer = setTimeout(() => watch(read, text ?? last), PAUSE);
    };
    const start = async () => {
      const found = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      stream = found;
      if (gone || !video.current) {
        for (const track of found.getTracks()) track.stop();
        return;
      }
      video.current.srcObject = found;
      void watch(await reader());
    };
    start().catch(() => fail());
    return () => {
      gone = true;
      clearTimeout(timer);
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
  }, []);
  return <video ref={video} className="x-scan" autoPlay playsInline muted />;
}
