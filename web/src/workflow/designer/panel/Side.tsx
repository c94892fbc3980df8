/** The place of the properties beside the canvas: it folds, and its edge is dragged; remembered for each person. */
import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from '@/i18n';
import { Edge } from '@/kit/Edge';
import { personKey, readKept } from '@/kit/listLook';
import { TYPING } from '@/kit/rowKeys';
import { useSession } from '@/session/session';
import { Panel } from './Panel';

/** Pixels. Of the frame, this share at most is the panel's: the canvas keeps room to draw. */
const [NARROWEST, WIDEST] = [260, 720];
const SHARE = 0.6;

interface Look {
  width?: number;
  folded?: boolean;
}

function useKept(): [Look, (change: Look) => void] {
  const key = personKey('panel', 'designer', useSession()?.userId);
  const [kept, setKept] = useState<{ key: string; look: Look }>();
  const look = kept?.key === key ? kept.look : readKept<Look>(key);
  const keep = (change: Look) => {
    const next = { ...look, ...change };
    localStorage.setItem(key, JSON.stringify(next));
    setKept({ key, look: next });
  };
  return [look, keep];
}

/** As wide as it is where nobody has dragged it. */
function usual(): number {
  return Math.round(Math.min(380, Math.max(280, window.innerWidth * 0.26)));
}

export function Side() {
  const { t } = useTranslation();
  const [{ width = usual(), folded = false }, keep] = useKept();
  const frame = useRef<HTMLElement>(null);
  const fold = () => keep({ folded: !folded });
  const foldNow = useEffectEvent(fold);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'p' || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target as HTMLElement;
      // What lies over the designer has keys of its own.
      const isHere = target === document.body || target.closest('.x-designer');
      if (!isHere || target.closest(TYPING) || event.repeat) return;
      event.preventDefault();
      foldNow();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  const resize = (to: number) => {
    const room = (frame.current?.parentElement?.clientWidth ?? 0) * SHARE || WIDEST;
    keep({ width: Math.round(Math.max(NARROWEST, Math.min(to, room))) });
  };
  const word = t(folded ? 'designer.panel.unfold' : 'designer.panel.fold');
  return (
    <aside
      ref={frame}
      className={folded ? 'x-designer-panel x-designer-panel-folded' : 'x-designer-panel'}
      style={folded ? undefined : { width }}
      aria-label={t('designer.panel.label')}
    >
      {!folded && (
        <Edge
          side="left"
          className="x-designer-edge"
          label={t('designer.panel.resize')}
          title={t('designer.panel.resizeHint')}
          width={width}
          narrowest={NARROWEST}
          widest={WIDEST}
          // In a window that is narrower now less may be seen than was chosen.
          shown={() => frame.current?.offsetWidth || width}
          onResize={resize}
          onDoubleClick={() => keep({ width: undefined })}
        />
      )}
      <Tooltip title={`${word} (P)`} placement="left">
        <Button
          className="x-designer-fold"
          type="text"
          size="small"
          icon={folded ? <MenuFoldOutlined /> : <MenuUnfoldOutlined />}
          aria-label={word}
          aria-expanded={!folded}
          aria-keyshortcuts="P"
          onClick={fold}
        />
      </Tooltip>
      {/* What was opened in it is open still when it comes back. */}
      <div className="x-designer-scroll" hidden={folded}>
        <Panel />
      </div>
    </aside>
  );
}
