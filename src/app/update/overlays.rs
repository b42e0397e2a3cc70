//! Opening what lies over every screen: help, palette, themes, the line for a file.

use crate::app::core::text_input::{Input, Purpose};
use crate::app::effect::Effect;
use crate::app::interpret::{is_offered, screen_context};
use crate::app::keys::command::Command;
use crate::app::overlays::Overlay;
use crate::app::overlays::help::HelpSheet;
use crate::app::overlays::picker::Picker;
use crate::app::state::State;

/// Opens what the command is for.
pub(crate) fn open(state: &mut State, command: Command) {
    match command {
        Command::Palette => {
            let context = screen_context(state);
            let picker = Picker::commands("", |command| is_offered(context, command));
            state.push_overlay(Overlay::Picker(picker));
            state.input = Some(Input::new(Purpose::Palette, ""));
        }
        Command::ChooseTheme => {
            let (theme, colourless) = (&state.theme, state.settings.colourless);
            let picker = Picker::themes(&theme.known, &theme.name, colourless);
            state.push_overlay(Overlay::Picker(picker));
        }
        Command::OpenFile => {
            state.clear_overlays();
            state.input = Some(Input::new(Purpose::OpenFile, ""));
        }
        _ => state.push_overlay(Overlay::Help(HelpSheet::default())),
    }
}

/// Keeps the theme that is previewed.
pub(crate) fn choose_theme(state: &mut State) -> Option<Effect> {
    state.close_overlay();
    if state.settings.colourless {
        state.say(
            "Nothing changes: no colours are sent (NO_COLOR, or this terminal has none), so all themes look alike.",
        );
        return None;
    }
    if let Some(said_by) = &state.theme.said_by {
        // A key does not override what is configured.
        state.say(format!(
            "Until you leave: {said_by} says otherwise for each start."
        ));
        return None;
    }
    let theme = state.theme.name.clone();
    state.say(format!("{theme} it is, from now on."));
    Some(Effect::RememberTheme(state.fresh_id(), theme))
}
