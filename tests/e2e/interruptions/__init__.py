"""Lost connections, killed servers, several tabs: nothing is lost and nothing comes twice."""
