/** Reading the code on a machine's plate with the camera, where the browser can. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { Drawer } from '@/kit/overlays';

const PAUSE = 250;

/** Not yet among the types of the browser. */
interface Detector {
  detect: (source: HTMLVideoElement) => Promise<readonly { rawValue: string }[]>;
}
type DetectorClass = new (options: { formats: string[] }) => Detector;

const detectorClass = () => (window as { BarcodeDetector?: DetectorClass }).BarcodeDetector;

export function canScan(): boolean {
  // Without https a browser has no camera.
  return detectorClass() !== undefined && navigator.mediaDevices?.getUserMedia !== undefined;
}

/** The machine's id where the text is an address of its page or of its report; otherwise nothing. */
export function idIn(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { pathname, searchParams } = new URL(text);
  return /\/equip\/machine\/(\d+)\/?$/.exec(pathname)?.[1] ?? searchParams.get('machineId') ?? undefined;
}

/** The id of the machine that a plate names by its address or its code, if there is one. */
export async function machineOf(text: string): Promise<string | undefined> {
  const id = idIn(text);
  if (id) return (await api.get('/yuzhu-equip/inspectmachine/select', { ids: id })).records[0]?.id;
  const code = text.trim().toLowerCase();
  const rows = await api.get('/yuzhu-equip/inspectmachine/getList', { nodeType: '4,5', keyword: code });
  return rows.find((row) => row.machineCode.toLowerCase() === code)?.id;
}

interface ScanProps {
  onFound: (id: string) => void;
  onClose: () => void;
}

export function ScanDrawer({ onFound, onClose }: ScanProps) {
  const { t } = useTranslation();
  const video = useRef<HTMLVideoElement>(null);
  const [told, setTold] = useState<string>();
  const look = useEffectEvent(async (text: string) => {
    const id = await machineOf(text);
    if (id) {
      onFound(id);
      onClose();
    } else setTold(t('machines.chooser.scanNone', { text: text.slice(0, 60) }));
  });
  const fail = useEffectEvent(() => setTold(t('machines.chooser.scanDenied')));
  useEffect(() => {
    const Class = detectorClass();
    if (!Class) return undefined;
    const detector = new Class({ formats: ['qr_code', 'code_128', 'code_39'] });
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout>;
    let gone = false;
    const watch = async (last?: string) => {
      let text = last;
      try {
        const [code] = video.current ? await detector.detect(video.current) : [];
        text = code?.rawValue;
        // What was looked for in vain is not asked again while the camera still points at it.
        if (text && text !== last && !gone) await look(text);
      } catch {
        // A picture that is not ready yet, or a call that failed: the next one may do.
      }
      if (!gone) timer = setTimeout(() => watch(text ?? last), PAUSE);
    };
    navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } }).then(
      (found) => {
        stream = found;
        if (gone || !video.current) {
          for (const track of found.getTracks()) track.stop();
          return;
        }
        video.current.srcObject = found;
        void watch();
      },
      () => fail(),
    );
    return () => {
      gone = true;
      clearTimeout(timer);
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
  }, []);
  return (
    <Drawer open title={t('machines.chooser.scan')} placement="bottom" size="92dvh" onClose={onClose}>
      <p className="x-hint">{t('machines.chooser.scanHint')}</p>
      <video ref={video} className="x-scan" autoPlay playsInline muted />
      {told && <p role="alert">{told}</p>}
    </Drawer>
  );
}
