/** Finding a spare part: by a scanner that types, by the camera, or by a part of its code or name. */
import { ScanOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Alert, Button, Input, type InputRef, Select } from 'antd';
import { useRef, useState } from 'react';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { listRows } from '@/api/nounCalls';
import { spareinfo } from '@/api/nouns/spareinfo';
import { useTranslation } from '@/i18n';
import { Drawer } from '@/kit/overlays';
import { useDebounced } from '@/kit/useDebounced';
import { Camera, canScan } from './camera';
import './spares.css';

export type Part = RowOf<typeof spareinfo>;

const MOST = 20;

/** A quantity without zeros at its end. */
export const plain = (value: number) => String(Number(value.toFixed(3)));

/** The part with this barcode or code; none where nobody has entered it. */
export async function partOf(text: string): Promise<Part | undefined> {
  const word = text.trim();
  if (!word || word.includes(',')) return undefined;
  for (const name of ['barcode', 'spareCode'] as const) {
    const found = await api.list(`${spareinfo.path}/list`, { [`${name}_equal`]: word, size: 2 });
    if (found.records.length > 0) return found.records[0] as unknown as Part;
  }
  return undefined;
}

interface ScanProps {
  /** Is told each text that was scanned or typed; returns what was wrong with it. */
  onText: (text: string) => Promise<string | undefined> | string | undefined;
}

/** A field for a scanner that types, with the camera beside it. */
export function ScanBox({ onText }: ScanProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [told, setTold] = useState<string>();
  const [looks, setLooks] = useState(false);
  const box = useRef<InputRef>(null);
  const look = async (text: string) => {
    if (!text.trim()) return;
    const wrong = await onText(text);
    setTold(wrong);
    setTyped('');
    if (!wrong) setLooks(false);
    box.current?.focus();
  };
  return (
    <div>
      <div className="x-spare-scan">
        <Input
          ref={box}
          aria-label={t('spares.scan')}
          placeholder={t('spares.scanHint')}
          value={typed}
          maxLength={64}
          enterKeyHint="search"
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // The form around it is not sent.
            event.preventDefault();
            void look(typed);
          }}
        />
        {canScan() && (
          <Button icon={<ScanOutlined />} aria-label={t('spares.camera')} onClick={() => setLooks(true)} />
        )}
      </div>
      {told && <Alert className="x-spare-told" type="warning" showIcon title={told} />}
      {looks && (
        <Drawer
          open
          title={t('spares.camera')}
          placement="bottom"
          size="92dvh"
          onClose={() => setLooks(false)}
        >
          <p className="x-hint">{t('spares.cameraHint')}</p>
          {told && <Alert type="warning" showIcon title={told} />}
          <div className="x-spare-camera">
            <Camera onRead={look} onDenied={() => setLooks(false)} />
          </div>
        </Drawer>
      )}
    </div>
  );
}

interface FinderProps {
  /** Only parts that are used there. */
  machineId?: string;
  onFound: (part: Part) => void;
}

/** Chooses a part by a part of its code, name, specification or barcode. */
export function PartFinder({ machineId, onFound }: FinderProps) {
  const { t } = useTranslation();
  const [word, setWord] = useState('');
  const keyword = useDebounced(word);
  const asked = { keyword, isSealed: 0, size: MOST, ...(machineId ? { machineId } : {}) };
  const { data, isFetching } = useQuery({
    queryKey: [spareinfo.name, 'find', asked],
    queryFn: ({ signal }) => listRows(spareinfo, asked, signal),
    staleTime: 30_000,
  });
  const rows = (data?.records ?? []) as unknown as Part[];
  return (
    <Select<string | null>
      className="x-full"
      aria-label={t('spares.addPart')}
      placeholder={t('spares.findPart')}
      value={null}
      loading={isFetching}
      showSearch={{ filterOption: false, searchValue: word, onSearch: setWord }}
      options={rows.map((part) => ({
        value: part.id,
        label: `${part.spareCode} ${part.spareName}${part.spec ? ` ${part.spec}` : ''} · ${t(
          'spares.available',
          {
            n: plain(part.availableQty),
            unit: part.unit,
          },
        )}`,
      }))}
      onChange={(id) => {
        const part = rows.find((one) => one.id === id);
        setWord('');
        if (part) onFound(part);
      }}
    />
  );
}
