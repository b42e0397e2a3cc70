//! The roles that a theme gives colours to.

/// Declares the roles once, so that the enum, its names in theme files and its list can't drift apart.
macro_rules! roles {
    ($($variant:ident $name:literal $doc:literal)*) => {
        /// What a piece of the screen is; a theme says how that looks.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Role { $(#[doc = $doc] $variant),* }

        impl Role {
            /// Every role, in the order of the enum.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Returns the role's key in the `[roles]` table of a theme file.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }
        }
    };
}

roles! {
    Text "text" "Running text, in the terminal's own ink."
    Strong "strong" "Text that carries the line."
    Dim "dim" "Second text: facts, locations, words beside keys."
    Rule "rule" "The one line that heads a sheet."
    Title "title" "What the screen is about."
    Accent "accent" "Names, headings, filter chips."
    Key "key" "A key, where keys are shown."
    Warn "warn" "The mark of a hint or a warning."
    ErrorRule "error_rule" "The line that heads an error."
    More "more" "A figure that grew."
    Less "less" "A figure that shrank."
    MatchText "match_text" "Letters a search found."
    Selected "selected" "The label of the selected frame, where the frame is filled."
    SelectedHollow "selected_hollow" "The label of the selected frame, where the frame is hollow without colours."
    SelectedRow "selected_row" "The selected row of a list or table."
    Ceiling "ceiling" "The bar with the path to the zoom root."
    CeilingStrong "ceiling_strong" "The zoom root's name in that bar."
    FrameWarm1 "frame_warm_1" "Own code, even depth, first shade."
    FrameWarm2 "frame_warm_2" "Own code, even depth, second shade."
    FrameWarm3 "frame_warm_3" "Own code, odd depth, first shade."
    FrameWarm4 "frame_warm_4" "Own code, odd depth, second shade."
    FrameHot "frame_hot" "Own code that burns: a tenth of the view in its own lines."
    FrameCool1 "frame_cool_1" "The runtime, first shade."
    FrameCool2 "frame_cool_2" "The runtime, second shade."
    FrameDep1 "frame_dep_1" "A dependency, first shade."
    FrameDep2 "frame_dep_2" "A dependency, second shade."
    FrameGrey "frame_grey" "Idle time and the program outside JavaScript."
    FrameGc "frame_gc" "The garbage collector."
    FrameMatch "frame_match" "A frame the search found, in themes that show all of them alike."
    FrameDim "frame_dim" "A frame outside the search."
    FrameDimLabel "frame_dim_label" "The label of a frame outside the search."
    FrameRest "frame_rest" "Frames too narrow for a cell, collected."
    FrameRestMatch "frame_rest_match" "Collected frames that hide a match."
    FrameRestLabel "frame_rest_label" "How many frames were collected."
    DiffMore1 "diff_more_1" "A comparison: somewhat more."
    DiffMore2 "diff_more_2" "A comparison: clearly more."
    DiffMore3 "diff_more_3" "A comparison: far more."
    DiffLess1 "diff_less_1" "A comparison: somewhat less."
    DiffLess2 "diff_less_2" "A comparison: clearly less."
    DiffLess3 "diff_less_3" "A comparison: far less."
    DiffSame "diff_same" "A comparison: as before."
    BarWarm "bar_warm" "The bar of own code."
    BarHot "bar_hot" "The bar of own code that burns."
    BarCool "bar_cool" "The bar of the runtime."
    BarDep "bar_dep" "The bar of a dependency."
    BarGrey "bar_grey" "The bar of idle time and the program."
    BarGc "bar_gc" "The bar of the garbage collector."
}
