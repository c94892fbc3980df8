/** The palette at the left: tools, and what may be drawn. */

import type GlobalConnect from 'diagram-js/lib/features/global-connect/GlobalConnect';
import type HandTool from 'diagram-js/lib/features/hand-tool/HandTool';
import type LassoTool from 'diagram-js/lib/features/lasso-tool/LassoTool';
import type Palette from 'diagram-js/lib/features/palette/Palette';
import type { PaletteEntries } from 'diagram-js/lib/features/palette/PaletteProvider';
import type SpaceTool from 'diagram-js/lib/features/space-tool/SpaceTool';
import { t } from '@/i18n';
import { kindTitle } from './kinds';
import type { Offer } from './offer';
import type { Placing } from './placing';

export class PaletteEntriesProvider {
  static $inject = ['palette', 'placing', 'handTool', 'lassoTool', 'spaceTool', 'globalConnect', 'offer'];

  constructor(
    palette: Palette,
    private readonly placing: Placing,
    private readonly hand: HandTool,
    private readonly lasso: LassoTool,
    private readonly space: SpaceTool,
    private readonly link: GlobalConnect,
    private readonly offer: Offer,
  ) {
    palette.registerProvider(this);
  }

  getPaletteEntries(): PaletteEntries {
    const entries: PaletteEntries = {
      'hand-tool': {
        group: 'tools',
        className: 'bpmn-icon-hand-tool',
        title: `${t('designer.tools.hand')} (H)`,
        action: { click: (event) => this.hand.activateHand(event as MouseEvent) },
      },
      'lasso-tool': {
        group: 'tools',
        className: 'bpmn-icon-lasso-tool',
        title: `${t('designer.tools.lasso')} (L)`,
        action: { click: (event) => this.lasso.activateSelection(event as MouseEvent) },
      },
      'space-tool': {
        group: 'tools',
        className: 'bpmn-icon-space-tool',
        title: `${t('designer.tools.space')} (S)`,
        action: { click: (event) => this.space.activateSelection(event as MouseEvent, false, false) },
      },
      'global-connect-tool': {
        group: 'tools',
        className: 'bpmn-icon-connection-multi',
        title: `${t('designer.tools.connect')} (C)`,
        action: { click: (event) => this.link.start(event, false) },
      },
    };
    for (const kind of this.offer.kinds) {
      if (!kind.isCommon) continue;
      const drag = (event: Event) => this.placing.drag(event, kind);
      entries[`create.${kind.name}`] = {
        group: kind.group,
        className: kind.icon,
        title: t(kindTitle(kind)),
        action: { click: drag, dragstart: drag },
      };
    }
    return entries;
  }
}
