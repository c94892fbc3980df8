/** Finding a machine by its plate. */
import { useState } from 'react';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { Drawer } from '@/kit/overlays';
import { Camera } from '@/screens/shared/camera';

/** The machine's id where the text is an address of its report; otherwise nothing. */
function reported(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  return new URL(text).searchParams.get('machineId') ?? undefined;
}

/** The id of the machine that a plate names by its token, its code, or an address of the machine, if there is one. */
export async function machineOf(text: string): Promise<string | undefined> {
  const id = reported(text);
  if (id) return (await api.get('/yuzhu-equip/inspectmachine/select', { ids: id })).records[0]?.id;
  try {
    return (await api.post('/yuzhu-equip/equiptags/scan', { text })).machine?.id;
  } catch (error) {
    if ((error as { error?: string }).error === 'input.invalid') return undefined;
    throw error;
  }
}

interface ScanProps {
  onFound: (id: string) => void;
  onClose: () => void;
}

export function ScanDrawer({ onFound, onClose }: ScanProps) {
  const { t } = useTranslation();
  const [told, setTold] = useState<string>();
  const look = async (text: string) => {
    const id = await machineOf(text);
    if (id) {
      onFound(id);
      onClose();
    } else setTold(t('machines.chooser.scanNone', { text: text.slice(0, 60) }));
  };
  return (
    <Drawer open title={t('machines.chooser.scan')} placement="bottom" size="92dvh" onClose={onClose}>
      <p className="x-hint">{t('machines.chooser.scanHint')}</p>
      <Camera onRead={look} onDenied={() => setTold(t('machines.chooser.scanDenied'))} />
      {told && <p role="alert">{told}</p>}
    </Drawer>
  );
}
